// Ranks with the same schedule, or the same order of graphs, as one column each.
import { groupBy, type RanksPart } from "./ranks";
import { slotNames } from "./ranks-matrix";

export interface ScheduleItem {
  op: string;
  compile: string;
  graph: string;
}

export interface Group<T> {
  ranks: number[];
  items: T[];
  /** the items have the compile ids of the first rank; other ranks have others */
  idsDiffer?: boolean;
}

/** The largest group first: it is what the others are measured by. Ranks that are compared but have no schedule at all are a group too. */
export function scheduleGroups(part: RanksPart): Group<ScheduleItem>[] {
  const { schedules } = part;
  if (!schedules?.ranks.length) return [];
  const ranked = schedules.ranks.filter(
    (rank): rank is typeof rank & { rank: number } => rank.rank !== null && compared(part, rank.rank),
  );
  // An earlier log of a rank follows the one that is compared: only the first of a rank counts.
  const seen = new Set<number>();
  const newest = ranked.filter((rank) => !seen.has(rank.rank) && seen.add(rank.rank));
  // An additional compile on a rank shifts all later ids, so groups have equal operations, not equal ids.
  const groups: Group<ScheduleItem>[] = groupBy(newest, (rank) =>
    rank.graphs.map((graph) => `${graph.ops}`).join("|"),
  ).map((ranks) => ({
    ranks: ranks.map((rank) => rank.rank),
    items: ranks[0]!.graphs.flatMap((graph) =>
      (schedules.ops[graph.ops] ?? []).map((op) => ({ op, compile: graph.compile, graph: graph.graph })),
    ),
    idsDiffer: new Set(ranks.map((rank) => rank.graphs.map((graph) => graph.compile).join(" "))).size > 1,
  }));
  // What a rank did not log is not known, so it is in no group.
  const unknown = new Set(part.divergence?.collectives?.not_logged ?? []);
  const silent = (part.ranks ?? []).flatMap((rank) =>
    rank.rank !== null && rank.compared && !seen.has(rank.rank) && !unknown.has(rank.rank) ? [rank.rank] : [],
  );
  if (silent.length) groups.push({ ranks: silent, items: [] });
  return largestFirst(groups);
}

export interface OrderItem {
  id: string;
  /** the function, as the same on several ranks; null: not known */
  slot: string | null;
}

/** Ranks that run the same functions in the same order under the same ids. */
export function orderGroups(part: RanksPart): Group<OrderItem>[] {
  const seen = new Set<number>();
  const name = slotNames(part);
  const uncertain = new Set(part.divergence?.execution_order?.uncertain ?? []);
  const ranked = (part.execution?.order ?? [])
    .filter(
      (item): item is { rank: number; ids: string[] } =>
        item.rank !== null && compared(part, item.rank) && !seen.has(item.rank) && !!seen.add(item.rank),
    )
    .map(({ rank, ids }) => ({
      rank,
      items: ids.map((id): OrderItem => ({ id, slot: uncertain.has(rank) ? null : name(rank, id) })),
    }));
  return largestFirst(
    groupBy(ranked, ({ items }) => items.map((item) => `${item.id} ${item.slot ?? ""}`).join("\n")).map((ranks) => ({
      ranks: ranks.map((item) => item.rank),
      items: ranks[0]!.items,
    })),
  );
}

function compared(part: RanksPart, rank: number): boolean {
  return (part.ranks ?? []).some((item) => item.rank === rank && item.compared);
}

function largestFirst<T>(groups: Group<T>[]): Group<T>[] {
  return groups.sort((a, b) => b.ranks.length - a.ranks.length || (a.ranks[0] ?? 0) - (b.ranks[0] ?? 0));
}
