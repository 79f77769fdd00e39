"""A way through numba for functions that only compiled code calls: they are optimised where they are used, and once.

numba optimises each function and makes machine code of it, with all that it calls, before another may call it; so
code that lies five calls deep is optimised five times, of which only the last counts. Here a function stops at LLVM's
intermediate code. The kernel that calls it in the end is optimised as a whole, as it is anyway; no result depends on it.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

__all__ = ["InnerCompiler"]


class _Unoptimised(JITCodeLibrary):
    """Code that waits to be linked into that of a kernel."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):
    """Translate a function to LLVM's code and leave it at that."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _Unoptimised(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state.cr
        # an entry for the interpreter that leads nowhere, as numba makes for functions without a wrapper
        entry = _dynfunc.make_function(
            lowered.fndesc.lookup_module(), lowered.fndesc.qualname, "", 0, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(entry, lowered.fndesc, [state.library])
        state.cr = lowered._replace(cfunc=entry)
        return True


class InnerCompiler(CompilerBase):
    """numba's compiler, but for its last step."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes, the last of them changed."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(_InnerLowering if step is NativeLowering else step, name) for step, name in passes.passes]
        passes.finalize()
        return [passes]
