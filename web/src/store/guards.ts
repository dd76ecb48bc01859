// The guards of a compile: conditions under which the compiled code may be used.
import { matches, words } from "../lib/text";
import type { Guard, GuardList, GuardPlace as PlaceOfGuard } from "./generated/report";
export type { Guard, GuardList, PlaceOfGuard };

export interface GuardGroup {
  key: string;
  /** the type of the value, or what the kind of guard means */
  note: string;
  guards: { guard: Guard; n: number }[];
}

export type GuardOrder = "source" | "type" | "log";

const GLOBAL = "global state";

type KnownFile = { file: string; library?: boolean };

/** Whose line a guard names: PyTorch leaves out of its path what PyTorch's own path begins with, so it is compared with the ends of the files that stacks of the log have. null where no file fits, or files of both. */
export function ownerOf(place: PlaceOfGuard, files: readonly KnownFile[]): "user" | "library" | null {
  const found = new Set(files.filter(({ file }) => file.endsWith(place.file)).map(({ library }) => library === true));
  if (found.size === 1) return found.has(true) ? "library" : "user";
  return !found.size && place.library ? "library" : null;
}

export function sourceOf(list: GuardList, guard: Guard): string | null {
  return (guard.source === undefined ? undefined : list.sources[guard.source]?.source) ?? guard.about ?? null;
}

/** The guards that fit, in groups; a group is where its first guard is. */
export function groupGuards(list: GuardList, order: GuardOrder, query: string | undefined): GuardGroup[] {
  const wanted = words(query);
  const groups = new Map<string, GuardGroup>();
  for (const [n, guard] of list.guards.entries()) {
    const source = sourceOf(list, guard);
    if (wanted.length && !matches(searchText(guard, source), wanted)) continue;
    const key = order === "log" ? "" : order === "type" ? guard.type : (source ?? GLOBAL);
    let group = groups.get(key);
    if (!group) {
      const type = guard.source === undefined ? undefined : list.sources[guard.source]?.type;
      groups.set(
        key,
        (group = {
          key,
          note:
            order === "type"
              ? guardWords(guard.type)
              : order === "source"
                ? source === null
                  ? "modes and settings of PyTorch"
                  : (type ?? "")
                : "",
          guards: [],
        }),
      );
    }
    group.guards.push({ guard, n });
  }
  return [...groups.values()];
}

function searchText(guard: Guard, source: string | null): string {
  const { user, framework } = guard;
  return `${guard.type} ${guard.code} ${source ?? ""} ${guard.hint ?? ""} ${user ? `${user.file}:${user.line} ${user.function} ${user.code ?? ""}` : ""} ${framework ? `${framework.file}:${framework.line} ${framework.function}` : ""}`.toLowerCase();
}

const WORDS: Record<string, string> = {
  TENSOR_MATCH: "same dtype, device, dispatch keys and requires_grad; same size and stride unless dynamic",
  TYPE_MATCH: "exactly the same Python type",
  ID_MATCH: "the same object",
  EQUALS_MATCH: "equal to the value at compile time",
  CONSTANT_MATCH: "the same constant",
  NONE_MATCH: "is None",
  NOT_NONE: "is not None",
  TRUE_MATCH: "is True",
  FALSE_MATCH: "is False",
  LENGTH_CHECK: "same length",
  DICT_LENGTH: "same number of keys",
  DICT_CONTAINS: "the dictionary has, or lacks, this key",
  DICT_VERSION: "the dictionary is unmodified",
  SET_CONTAINS: "the set has, or lacks, this item",
  OBJECT_ALIASING: "two sources are the same object",
  NO_TENSOR_ALIASING: "no two input tensors are the same object",
  NO_HASATTR: "the object lacks this attribute",
  HASATTR: "the object has this attribute",
  WEAKREF_ALIVE: "the object still exists",
  LAMBDA_GUARD: "Python condition, for instance on sizes",
  SYMBOLIC_SHAPE_GUARD: "condition on symbolic shapes",
  DIMENSION_DYNAMIC_MARKING_GUARD: "same mark_dynamic and mark_static calls on the tensor",
  DYNAMIC_INDICES: "same dimensions marked as dynamic",
  GLOBAL_STATE: "same grad mode, autocast, default dtype, determinism and number of threads",
  DEFAULT_DEVICE: "same torch.set_default_device",
  TORCH_FUNCTION_MODE_STACK: "same active __torch_function__ modes",
  TENSOR_SUBCLASS_METADATA_MATCH: "same metadata of the tensor subclass",
  STORAGE_OVERLAPPING: "input tensors overlap in memory as at compile time",
  RANGE_ITERATOR_MATCH: "same position of the range iterator",
  TUPLE_ITERATOR_LEN: "same number of items left in the tuple iterator",
  FLOAT_IS_NAN: "is NaN",
  COMPLEX_IS_NAN: "is a complex NaN",
};

/** What a type of guard checks; "" for an unknown one. */
export const guardWords = (type: string): string => WORDS[type] ?? "";
