export type Status = "ok" | "restart" | "error" | "empty" | "missing";
/** In the order in which pictures number them. */
export const STATUSES: readonly Status[] = ["ok", "restart", "error", "empty", "missing"];
