// What kind of work an operator does, by its name. A name in no list has no family: the drawing then shows none.
export type Family = "matmul" | "pointwise" | "view" | "reduction" | "collective" | "subgraph" | "other";

const list = (text: string): Set<string> => new Set(text.split(/\s+/));

const MATMUL = list(
  "mm bmm addmm addbmm baddbmm addmv mv dot vdot matmul linear bilinear einsum tensordot convolution convolution_backward conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d _int_mm _scaled_mm scaled_dot_product_attention flex_attention flex_attention_backward",
);
const POINTWISE = list(
  "add sub rsub mul div floor_divide true_divide remainder fmod pow exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal neg abs sign sin cos tan asin acos atan sinh cosh tanh atan2 erf erfc sigmoid relu relu6 gelu silu mish elu leaky_relu hardtanh hardswish softplus threshold_backward tanh_backward sigmoid_backward gelu_backward silu_backward clamp clamp_min clamp_max maximum minimum where eq ne lt le gt ge logical_and logical_or logical_not logical_xor bitwise_and bitwise_or bitwise_not bitwise_xor ceil floor round trunc frac isnan isinf isfinite fma addcmul addcdiv lerp convert_element_type to _to_copy float half bfloat16 int long bool masked_fill dropout native_dropout copysign invert and_ or_ not_ iadd imul isub",
);
const VIEW = list(
  "view reshape _unsafe_view permute transpose t T mT expand expand_as slice select squeeze unsqueeze alias as_strided split split_with_sizes chunk unbind detach flatten unflatten movedim swapaxes diagonal view_as contiguous getitem narrow unfold real imag",
);
const REDUCTION = list(
  "sum mean amax amin prod any all argmax argmin max min var var_mean std std_mean norm linalg_vector_norm logsumexp softmax _softmax _softmax_backward_data log_softmax _log_softmax _log_softmax_backward_data cumsum cumprod layer_norm native_layer_norm native_layer_norm_backward rms_norm group_norm native_group_norm batch_norm native_batch_norm _native_batch_norm_legit_functional native_batch_norm_backward cross_entropy nll_loss_forward nll_loss_backward mse_loss",
);

/** The operator's own name: `mm` of `torch.ops.aten.mm.default`, `linear` of `torch._C._nn.linear`. */
export function baseName(op: string): string {
  const path = op.split(".");
  if (path[0] === "torch" && path[1] === "ops" && path.length >= 4) return path[3]!;
  return path[path.length - 1]!;
}

/** What the drawing writes in a node: without what all of them begin with. */
export function shortOp(op: string): string {
  return op
    .replace(/^torch\.ops\./, "")
    .replace(/^(?:torch\._C\._nn|torch\.nn\.functional|torch)\./, "")
    .replace(/\.default$/, "");
}

export function familyOf(op: string): Family {
  if (/^torch\.ops\.higher_order\./.test(op)) return "subgraph";
  if (/^torch\.ops\.(?:_?c10d_functional|_?dtensor|c10d)\b/.test(op)) return "collective";
  if (/^\w+$/.test(op)) return "view"; // another name for the same value
  if (/^\w+\s*\[/.test(op)) return "view"; // an element or a slice
  if (/^[\w.]+\s*(?:[-+*/%<>&|^@]|==|!=)/.test(op)) return op.includes(" @ ") ? "matmul" : "pointwise";
  const name = baseName(op);
  const plain = name.replace(/_$/, "");
  for (const [family, names] of [
    ["matmul", MATMUL],
    ["pointwise", POINTWISE],
    ["view", VIEW],
    ["reduction", REDUCTION],
  ] as const)
    if (names.has(name) || names.has(plain)) return family;
  return /^_scaled_dot_product_/.test(name) ? "matmul" : "other";
}
