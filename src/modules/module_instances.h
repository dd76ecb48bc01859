/* module_instances.h - whether the compiles of a method are for one module or for several of its class.
 *
 * Records describe the parameters of `self` with the addresses of their Python objects, which are used again after the
 * objects are gone. Pure; any thread. */
#pragma once

#include "modules/module_records.h"

/* From this number of parameters on, new ones never had all addresses of a module that was gone, each in its place, when
 * modules of 1 to 96 tensors were created and dropped 100 times. With 16, they had them in 69 cases. */
enum { MODULE_ADDRESSES_SURE = 32 };

/* Sets the number of the module of each compile, from 0 in the order of the list; MODULE_NONE: unknown. Compiles whose
 * `self` has the same parameters (buffers, if it has none) at the same addresses are for the same module, and those
 * without a common address for different ones. Unknown is a compile that shares only a part of the addresses with an
 * earlier one, or whose parameters have other sizes: one of the two modules is gone. From then on, all compiles with its
 * addresses are unknown. So is one without parameters. A module that was gone may be taken for one with the same
 * sizes at the same addresses: see module_instances_surely(). Returns the number of modules. */
uint32_t module_instances_find(const struct model *model, const uint32_t *compiles, size_t count, uint32_t *numbers);
/* Whether the compile describes so many parameters that no other module had all their addresses. */
bool module_instances_surely(const struct model *model, uint32_t compile);
/* Whether each compile is of what torch.compile() or Module.compile() got, which nothing but its wrapper calls: not of
 * a layer of that. */
bool module_instances_are_whole(const struct model *model, const uint32_t *compiles, size_t count);
