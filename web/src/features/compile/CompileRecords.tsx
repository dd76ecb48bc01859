// Records that few compiles have: messages, PGO profiles, jobs of compile workers.
import { toArtifact } from "../../lib/address";
import { count, plural, time } from "../../lib/text";
import {
  artifactAt,
  bucketSide,
  keyOf,
  noticeTitle,
  profileAction,
  recordsOf,
  runtimeParts,
} from "../../store/records";
import type { Artifact, Bucketing, Compile, Notice, PgoRecord, WorkerJob } from "../../store/report";
import { LongText, PlaceText } from "../../ui/text";
import { More, Panel, useStore, Table } from "../../ui/page";
import { ParserBox } from "../../ui/ParserBox";

interface Props {
  compile: Compile;
  artifacts: readonly Artifact[];
}

export function CompileRecords({ compile, artifacts }: Props) {
  const { notices, allChanges, profiles, jobs, buckets } = recordsOf(useStore().report, compile);
  const runtime = runtimeParts(compile);
  const toLine = (line: number): string | null => {
    const n = artifactAt(artifacts, line);
    return n < 0 ? null : toArtifact(keyOf(compile), n);
  };
  return (
    <>
      {runtime.length > 0 && (
        <Panel title="Work at run time" note="not part of compile time">
          <table>
            <tbody>
              {runtime.map(([title, us]) => (
                <tr key={title}>
                  <td class="full">{title}</td>
                  <td class="num">{time(us)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      )}
      {notices.length > 0 && <Notices notices={notices} toLine={toLine} />}
      {profiles.length > 0 && <Profiles profiles={profiles} all={allChanges} toLine={toLine} />}
      {jobs.length > 0 && <Jobs jobs={jobs} />}
      {buckets.map((one) => (
        <Buckets key={one.line} one={one} href={toLine(one.line)} />
      ))}
      <ParserBox key={compile.key} compile={compile.key} />
    </>
  );
}

function Buckets({ one, href }: { one: Bucketing; href: string | null }) {
  return (
    <Panel title="Collective bucketing" note={href ? <a href={href}>pre_bucketing_collective_sizes</a> : undefined}>
      <Table head={["Collective", "Before", "After"]}>
        {one.kinds.map(({ kind, before, after }) => (
          <tr key={kind}>
            <td class="mono">{kind}</td>
            <td>{bucketSide(before)}</td>
            <td>{bucketSide(after)}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

type ToLine = (line: number) => string | null;

function Notices({ notices, toLine }: { notices: readonly Notice[]; toLine: ToLine }) {
  return (
    <Panel title="Messages" note={plural(notices.length, "message")}>
      <More items={notices} step={20}>
        {(notice) => {
          const href = toLine(notice.line);
          return (
            <div class="pad record-notice" key={`${notice.kind} ${notice.line}`}>
              <b>{href ? <a href={href}>{noticeTitle(notice)}</a> : noticeTitle(notice)}</b>
              {notice.count > 1 && <span class="muted"> {count(notice.count)} times</span>}
              {notice.place && (
                <div>
                  <PlaceText place={notice.place} limit={90} />
                </div>
              )}
              {notice.message && <LongText text={notice.message} lines={8} />}
              {notice.detail && <LongText text={notice.detail} lines={8} class="muted" />}
            </div>
          );
        }}
      </More>
    </Panel>
  );
}

function Profiles({ profiles, all, toLine }: { profiles: readonly PgoRecord[]; all: boolean; toLine: ToLine }) {
  return (
    <Panel title="PGO profile">
      {profiles.map((record) => {
        const href = toLine(record.line);
        const action = profileAction(record);
        return (
          <div class="pad" key={record.line}>
            <p>
              {href ? <a href={href}>{action}</a> : action}: {plural(record.frames, "frame")},{" "}
              {plural(record.sources, "source")}, {count(record.dynamic)} dynamic
              {all && record.changes.length === 0 && record.dynamic > 0 && ", none new"}.
            </p>
            {record.changes.length > 0 && <Changes record={record} />}
          </div>
        );
      })}
    </Panel>
  );
}

function Changes({ record }: { record: PgoRecord }) {
  const read = record.action === "read";
  return (
    <table class="record-table">
      <thead>
        <tr>
          <th>{read ? "Dynamic source" : "Now dynamic"}</th>
          <th>Frame</th>
          {!read && <th>Before</th>}
          <th>{read ? "Profile" : "Now"}</th>
        </tr>
      </thead>
      <tbody>
        {record.changes.slice(0, 200).map((change, i) => (
          <tr key={i}>
            <td class="mono wrap">{change.source}</td>
            <td>
              <PlaceText place={change.frame} />
            </td>
            {!read && <td class="mono wrap">{change.had ?? <span class="muted">not in the profile</span>}</td>}
            <td class="mono wrap">{change.has}</td>
          </tr>
        ))}
        {record.changes.length > 200 && (
          <tr>
            <td colSpan={4} class="muted">
              {count(record.changes.length - 200)} more
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

export function Jobs({ jobs }: { jobs: readonly WorkerJob[] }) {
  return (
    <Panel title="Compile workers" note="jobs reported by the watchdog">
      <Table
        class="record-table"
        head={["Job", "Worker", "Phase", ["num", "Running"], ["num", "In phase"], ["num", "Reports"]]}
      >
        {jobs.slice(0, 100).map((job) => (
          <tr key={`${job.process} ${job.job}`}>
            <td>{job.job}</td>
            <td>{job.worker_pid === null ? "–" : `pid ${job.worker_pid}`}</td>
            <td>{job.phase ?? "not known"}</td>
            <td class="num">{time(job.elapsed_us)}</td>
            <td class="num">{time(job.phase_elapsed_us)}</td>
            <td class="num">{count(job.reports)}</td>
          </tr>
        ))}
      </Table>
      {jobs.length > 100 && <p class="pad muted">{count(jobs.length - 100)} more</p>}
    </Panel>
  );
}
