interface Props {
  line?: number | null | undefined;
  code: string;
  severity?: "error" | "warning" | "info";
}

/** A line of the user's program, as the log has it, behind its number. */
export function SourceLine({ line, code, severity = "info" }: Props) {
  return (
    <div class="sourceline">
      <div class={severity === "error" ? "hit" : severity === "warning" ? "warn" : ""}>
        <i aria-hidden={!line}>{line || ""}</i>
        <code>{code}</code>
      </div>
    </div>
  );
}
