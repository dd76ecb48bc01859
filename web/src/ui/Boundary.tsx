import { Component, type ComponentChildren } from "preact";
import { Failed } from "./States";

/** A fault in one page must not take the whole report with it. */
export class Boundary extends Component<{ children: ComponentChildren }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static override getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    return this.state.error ? <Failed error={this.state.error} /> : this.props.children;
  }
}
