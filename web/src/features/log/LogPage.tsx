import { baseName, bytes, count, percent, plural } from "../../lib/text";
import { processName } from "../../store/compile-name";
import { useTitle } from "../../lib/hooks";
import { hrefOf } from "../../store/logsizes";
import { isLanding, type Rank, rankName, rankUrl } from "../../store/ranks";
import { logsOf } from "../../store/runs";
import { Empty, Facts, type PageProps, Panel, useStore, Table } from "../../ui/page";
import { Soft } from "../../ui/text";
import { PageHead } from "../../ui/PageHead";
import type { Report } from "../../store/report";
import { Checks } from "../../ui/Checks";
import { LogFaults } from "./LogFaults";
import { LogPicture } from "./LogPicture";

/** The counters by what they count, in the order of the summary that the command prints. */
const COUNTERS: readonly (readonly [keyof Report["log"]["counters"], string])[] = [
  ["ok", "records"],
  ["other_rank", "records of other ranks"],
  ["fail_glog", "unrecognized lines"],
  ["fail_json", "malformed envelopes"],
  ["fail_payload_md5", "payload MD5 mismatches"],
  ["fail_dynamo_guards_json", "malformed guards"],
  ["fail_parser", "malformed records"],
  ["fail_key_conflict", "reserved keys"],
  ["fail_json_serialization", "not serializable"],
  ["too_large", "records too large"],
  ["unknown", "unknown kinds"],
  ["unknown_encoding", "unknown encodings"],
];

/** The reference counts artifacts with an unknown encoding as malformed; their text is shown. */
const shown = (counters: Report["log"]["counters"], key: keyof Report["log"]["counters"]): number =>
  key === "fail_parser" ? counters.fail_parser - counters.unknown_encoding : counters[key];

/** What the log consists of, and what could not be read. */
export function LogPage({ at }: PageProps) {
  const { report } = useStore();
  const { log } = report;
  const landing = isLanding(report);
  const ranks = (report.ranks ?? [])
    .flatMap(logsOf)
    .filter((rank) => rank.status !== "bad" && !rank.elsewhere && rank.dir);
  useTitle("Log");
  const kinds = [...log.kinds].sort((a, b) => b.bytes - a.bytes);
  const most = kinds[0]?.bytes ?? 1;
  const own = log.bytes - (log.other_ranks_bytes ?? 0); // without other ranks, which have their own reports
  const processes = log.processes ?? [];
  const FILES = 100;
  const counters = COUNTERS.filter(([key]) => shown(log.counters, key));
  return (
    <>
      <PageHead
        title="Log"
        sub={
          log.other_ranks_bytes
            ? `${plural(log.records, "record")} of rank ${report.run.rank ?? "?"} in a log of ${bytes(log.bytes)}`
            : `${plural(log.records, "record")}, ${bytes(log.bytes)}`
        }
      />
      <div class="room" data-scroll="room">
        <div class="cols">
          <div>
            <Checks />
            <LogFaults log={log} />
            {kinds.length > 0 && (
              <LogPicture
                by={at.query.by === "compile" || at.query.by === "both" ? at.query.by : "kind"}
                of={at.query.of === "records" ? "records" : "bytes"}
              />
            )}
            {landing && (
              <Panel title="Logs">
                <p class="pad">
                  {ranks.length > 0 ? (
                    <>
                      Each {report.ranks?.some((rank) => rank.elsewhere) ? "log with a full report" : "log"} has a Log
                      page with its kinds of records and its warnings:
                      <LogLinks ranks={ranks} />
                    </>
                  ) : (
                    "The Log page of a rank is part of its full report, and no rank has one here."
                  )}
                </p>
              </Panel>
            )}
            {!landing && (
              <Panel title="Record kinds" note={log.other_ranks_bytes ? "by size, without other ranks" : "by size"}>
                {!kinds.length && <Empty title="No records" />}
                {kinds.length > 0 && (
                  <table class="kinds">
                    <thead>
                      <tr>
                        <th>Kind</th>
                        <th class="num">Records</th>
                        <th class="num">Size</th>
                        <th class="num wide">Share</th>
                        <td class="wide"></td>
                      </tr>
                    </thead>
                    <tbody>
                      {kinds.map((kind) => (
                        <tr key={`${kind.key}/${kind.name}`}>
                          <td class="mono wrap">
                            {log.unknown_keys.includes(kind.key) && (
                              <span class="chip missing" title="Kept, but unknown to this version">
                                ? unknown
                              </span>
                            )}{" "}
                            <KindName kind={kind} />
                          </td>
                          <td class="num">{count(kind.records)}</td>
                          <td class="num">{bytes(kind.bytes)}</td>
                          <td class="num wide">{percent(kind.bytes, own)}</td>
                          <td class="share wide">
                            <i style={{ width: `${(100 * kind.bytes) / Math.max(1, most)}%` }} />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                )}
              </Panel>
            )}
          </div>
          <aside>
            <Panel title="Files">
              <ul class="plainlist">
                {log.files.slice(0, FILES).map((file) => (
                  <li key={file.name}>
                    <span class="mono" title={file.name}>
                      {file.name}
                    </span>{" "}
                    <span class="muted num">{bytes(file.bytes)}</span>
                    {file.damage && (
                      <span class="chip error" title={file.damage}>
                        ✕ not fully read
                      </span>
                    )}
                    {log.files.length > 1 && file.records === 0 && !file.damage && (
                      <span class="chip missing">no records</span>
                    )}
                  </li>
                ))}
              </ul>
              {log.unread_folders.length > 0 && (
                <ul class="plainlist">
                  {log.unread_folders.slice(0, FILES).map((text) => (
                    <li key={text}>
                      <span class="mono">{text}</span> <span class="chip error">✕ not read</span>
                    </li>
                  ))}
                </ul>
              )}
              {log.files.length > FILES && <p class="more muted">{count(log.files.length - FILES)} more</p>}
            </Panel>
            {processes.length > 1 && (
              <Panel
                title="Processes"
                note={
                  processes.filter((process) => process.compiles).length > 1
                    ? "compiles are identified by process ID"
                    : undefined
                }
              >
                <Table head={["ID", ["num", "Compiles"], ["num", "Records"]]}>
                  {processes.slice(0, FILES).map((process) => (
                    <tr key={processName({ process: process.process, process_nth: process.nth })}>
                      <td class="mono wrap" title={process.file}>
                        {processName({ process: process.process, process_nth: process.nth })}
                        {process.file && <span class="muted"> {baseName(process.file)}</span>}
                      </td>
                      <td class="num">{count(process.compiles)}</td>
                      <td class="num">{count(process.records)}</td>
                    </tr>
                  ))}
                </Table>
                {processes.length > FILES && <p class="more muted">{count(processes.length - FILES)} more</p>}
              </Panel>
            )}
            {counters.some(([key]) => key !== "ok") && (
              <Panel title="Counters">
                <Facts facts={counters.map(([key, words]) => [words, count(shown(log.counters, key))])} />
              </Panel>
            )}
            {log.unknown_keys.length > 0 && (
              <Panel title="Unknown kinds">
                <p class="pad">
                  Kept, but unknown to this version: <span class="mono">{log.unknown_keys.join(", ")}</span>
                </p>
              </Panel>
            )}
          </aside>
        </div>
      </div>
    </>
  );
}

/** Links to the Log pages of the reports of all logs. */
function LogLinks({ ranks }: { ranks: readonly Rank[] }) {
  const SHOWN = 64;
  return (
    <>
      {ranks.length > 0 && (
        <span class="log-links">
          {ranks.slice(0, SHOWN).map((rank, i) => (
            <>
              {i > 0 ? ", " : " "}
              <a key={rank.dir} href={rankUrl(rank.dir, "#/log")}>
                {rankName(rank)}
              </a>
            </>
          ))}
        </span>
      )}
      {ranks.length > SHOWN && ` and ${count(ranks.length - SHOWN)} more`}
    </>
  );
}

/** Links to the same page as its area in the map, which may be too small for a finger. */
function KindName({ kind: { key, name } }: { kind: { key: string; name: string | null } }) {
  const href = hrefOf(key, name ?? key);
  const text = name ? (
    <>
      <span class="muted">{key} </span>
      <Soft text={name} />
    </>
  ) : (
    <Soft text={key} />
  );
  return href ? <a href={href}>{text}</a> : text;
}
