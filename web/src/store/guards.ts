// The guards of a compile: what must hold of the program's values so that the compiled code may be used.
import { matches, words } from "../lib/filter";
import type { Guard, GuardList, GuardPlace as ToldPlace } from "./generated/report";
export type { Guard, GuardList, ToldPlace };

export interface GuardGroup {
  key: string;
  /** the type of the value, or what the kind of guard means */
  note: string;
  guards: { guard: Guard; n: number }[];
}

export type GuardOrder = "source" | "type" | "log";

const GLOBAL = "the state of the program";

export function sourceOf(list: GuardList, guard: Guard): string | null {
  return (guard.source === undefined ? undefined : list.sources[guard.source]?.source) ?? guard.about ?? null;
}

/** The guards that fit, in groups; groups stand where their first guard does. */
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
                  ? "modes and settings that hold for all of it"
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
  TENSOR_MATCH: "the tensor has the same dtype, device, layout, sizes, strides and requires_grad",
  TYPE_MATCH: "the value has the very same Python type",
  ID_MATCH: "it is the very same object",
  EQUALS_MATCH: "the value is equal to the one that was compiled for",
  CONSTANT_MATCH: "the constant is the same",
  NONE_MATCH: "it is None",
  NOT_NONE: "it is not None",
  TRUE_MATCH: "it is True",
  FALSE_MATCH: "it is False",
  LENGTH_CHECK: "the list, tuple or string has the same length",
  DICT_LENGTH: "the dictionary has as many keys",
  DICT_CONTAINS: "the dictionary has, or has not, this key",
  DICT_VERSION: "the dictionary was not changed since",
  SET_CONTAINS: "the set has, or has not, this item",
  OBJECT_ALIASING: "two names mean the same object, as they did when it was compiled",
  NO_TENSOR_ALIASING: "no two of the input tensors are the same",
  NO_HASATTR: "the object lacks this attribute",
  HASATTR: "the object has this attribute",
  WEAKREF_ALIVE: "the object still exists",
  LAMBDA_GUARD: "a condition in Python, such as one on the sizes of inputs",
  SYMBOLIC_SHAPE_GUARD: "a condition on the sizes of inputs",
  DIMENSION_DYNAMIC_MARKING_GUARD:
    "dimensions are marked as dynamic or static (mark_dynamic and its like) as they were",
  DYNAMIC_INDICES: "dimensions are marked as dynamic as they were",
  GLOBAL_STATE: "modes that hold everywhere: grad mode, autocast, default dtype, determinism, number of threads",
  DEFAULT_DEVICE: "torch.set_default_device is as it was",
  TORCH_FUNCTION_MODE_STACK: "the same __torch_function__ modes are active",
  TENSOR_SUBCLASS_METADATA_MATCH: "the tensor subclass holds the same metadata",
  STORAGE_OVERLAPPING: "input tensors overlap in memory as they did",
  RANGE_ITERATOR_MATCH: "the range iterator stands where it did",
  TUPLE_ITERATOR_LEN: "the tuple iterator has as many items left",
  FLOAT_IS_NAN: "the number is not-a-number",
  COMPLEX_IS_NAN: "the complex number is not-a-number",
};

/** What a kind of guard asks, in plain words; "" for one that is not known. */
export const guardWords = (type: string): string => WORDS[type] ?? "";
