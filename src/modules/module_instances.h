/* module_instances.h - whether the compiles of a method are for one module or for several of its class.
 *
 * Records describe the parameters of `self` with their addresses. Pure; any thread. */
#pragma once

#include "modules/module_records.h"

/* Sets the number of the module of each compile, from 0 in the order of the list; MODULE_NONE: unknown. Compiles with the same parameters are for the
 * same module, those without a common one for different modules, and so are those whose parameters were all replaced. An address may be
 * used again after its object is gone: then two modules look the same. Returns the number of modules. */
uint32_t module_instances_find(const struct model *model, const uint32_t *compiles, size_t count, uint32_t *numbers);
/* Whether each compile is of what torch.compile() got, which nothing but its wrapper calls: not of a layer of that. */
bool module_instances_are_whole(const struct model *model, const uint32_t *compiles, size_t count);
