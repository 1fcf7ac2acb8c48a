"""Every method there is. A file in this folder that registers a method is named here, and nowhere else."""

import espalier.explain.acd
import espalier.explain.archipelago
import espalier.explain.contextual_decomposition
import espalier.explain.deep_shap
import espalier.explain.graph.asiv
import espalier.explain.graph.published
import espalier.explain.hedge
import espalier.explain.hedge_merge
import espalier.explain.integrated_gradients
import espalier.explain.l_shapley
import espalier.explain.leave_one_out
import espalier.explain.lime
import espalier.explain.linear_shap
import espalier.explain.ls_tree
import espalier.explain.mahe.method
import espalier.explain.sampled_shapley
import espalier.explain.shap.method
import espalier.explain.soc  # noqa: F401
