import { useMemo } from "preact/hooks";
import { bytes, count, percent, plural } from "../../lib/text";
import { NARROW, useLoaded, useMedia } from "../../lib/hooks";
import { sharesOf, type By, type Of, type Share, type Shares } from "../../store/logsizes";
import { treemap, type Rect } from "../../lib/treemap";
import { Failed, Panel, useStore } from "../../ui/page";
import { Soft } from "../../ui/text";
import { Toggle } from "../../ui/PageHead";

const BY: readonly [By, string][] = [
  ["kind", "by kind"],
  ["compile", "by compile id"],
  ["both", "by both"],
];

const TITLES: Record<By, string> = { kind: "record kind", compile: "compile id", both: "compile id and kind" };

const LINE = 16;

/** A treemap: each area is as large as its share of the log, and links to the artifacts that it represents. */
export function LogPicture({ by, of }: { by: By; of: Of }) {
  const store = useStore();
  const { log } = store.report;
  const narrow = useMedia(NARROW);
  const within = useLoaded<Shares | null>(
    () => (by === "both" ? store.logShares() : Promise.resolve(null)),
    [store, by === "both"],
  );
  const shares = useMemo(
    () => (within.state === "ready" ? sharesOf(log, by, of, within.value, (key) => store.name(key)) : []),
    [store, log, by, of, within],
  );
  const whole =
    of === "bytes" ? log.bytes - (log.other_ranks_bytes ?? 0) : log.kinds.reduce((n, kind) => n + kind.records, 0);
  const room: Rect = { x: 0, y: 0, w: narrow ? 340 : 900, h: narrow ? 400 : 300 };
  const say = (share: Share): string =>
    `${share.unknown ? "? unknown kind: " : ""}${share.label}: ${of === "bytes" ? bytes(share.value) : count(share.value)}, ${percent(share.value, whole)}`;
  return (
    <Panel
      title={`${of === "bytes" ? "Log size" : "Records"} by ${TITLES[by]}`}
      note={`${of === "bytes" ? bytes(whole) : plural(whole, "record")}${log.other_ranks_bytes ? ", without other ranks" : ""}`}
    >
      <div class="picture-tools toolbar">
        <div class="toggles" role="group" aria-label="Areas">
          {BY.map(([key, label]) => (
            <Toggle key={key} on={by === key} query={{ by: key === "kind" ? null : key }}>
              {label}
            </Toggle>
          ))}
        </div>
        <div class="toggles" role="group" aria-label="Size">
          <Toggle on={of === "bytes"} query={{ of: null }}>
            bytes
          </Toggle>
          <Toggle on={of === "records"} query={{ of: "records" }}>
            records
          </Toggle>
        </div>
      </div>
      {within.state === "failed" && <Failed error={within.error} />}
      <div
        class="treemap"
        role="list"
        aria-label={`${BY.find(([key]) => key === by)![1]}, ${of}`}
        style={narrow ? { height: "400px" } : undefined}
      >
        {treemap(
          shares.map((share) => share.value),
          room,
        ).map((rect, i) => (
          <Tiles key={shares[i]!.key} share={shares[i]!} rect={rect} room={room} say={say} of={of} />
        ))}
      </div>
    </Panel>
  );
}

interface TilesProps {
  share: Share;
  rect: Rect;
  room: Rect;
  say: (share: Share) => string;
  of: Of;
}

function Tiles({ share, rect, room, say, of }: TilesProps) {
  if (!share.inner?.length) return <Tile share={share} rect={rect} room={room} title={say(share)} of={of} />;
  // The id is at the top, its kinds below.
  const head = rect.h > 46 && rect.w > 40 ? 20 : 0;
  const inner = { ...rect, y: rect.y + head, h: rect.h - head };
  return (
    <>
      {head > 0 && <Tile share={share} rect={{ ...rect, h: head }} room={room} title={say(share)} of={of} short />}
      {treemap(
        share.inner.map((item) => item.value),
        inner,
      ).map((place, i) => (
        <Tile
          key={share.inner![i]!.key}
          share={share.inner![i]!}
          rect={place}
          room={room}
          title={`${share.label}, ${say(share.inner![i]!)}`}
          of={of}
          href={share.href}
        />
      ))}
    </>
  );
}

interface TileProps {
  share: Share;
  rect: Rect;
  room: Rect;
  title: string;
  of: Of;
  href?: string | null;
  short?: boolean;
}

function Tile({ share, rect, room, title, of, href = share.href, short = false }: TileProps) {
  const style = {
    left: `${(100 * rect.x) / room.w}%`,
    top: `${(100 * rect.y) / room.h}%`,
    width: `${(100 * rect.w) / room.w}%`,
    height: `${(100 * rect.h) / room.h}%`,
    background: `color-mix(in srgb, var(--p${share.color}) 30%, var(--panel))`,
    padding: rect.w < 30 || rect.h < 18 ? "0" : rect.h < 26 ? "0 6px" : undefined,
  };
  const size = of === "bytes" ? bytes(share.value) : count(share.value);
  const lines = Math.max(1, Math.floor((rect.h - (rect.h >= 38 ? 24 : 8)) / LINE)); // of the label, above the size
  const text = rect.w >= (short ? 46 : 60) && rect.h >= 18 && (
    <>
      {share.unknown && <b title="Unknown to this version">? </b>}
      {short ? (
        <>
          <span class="mono">{share.label}</span> {size}
        </>
      ) : (
        <>
          <span class="mono label" style={{ WebkitLineClamp: `${lines}` }}>
            <Soft text={share.label} />
          </span>
          {rect.h >= 38 && <small>{size}</small>}
        </>
      )}
    </>
  );
  return (
    <div role="listitem">
      {href ? (
        <a href={href} class="tile" title={title} aria-label={title} style={style}>
          {text}
        </a>
      ) : (
        <span class="tile" title={title} style={style}>
          {text}
          <span class="sr">{title}</span>
        </span>
      )}
    </div>
  );
}
