/** Which page stands at which address. Pages of studies and of the Lab are loaded when they are visited; an annotator sees nothing else. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from "@tanstack/react-router";
import { NotFound } from "./shell/NotFound";
import { Shell } from "./shell/Shell";
import { readSearch, writeSearch } from "./state/address";
import { Workbench } from "./workbench/Workbench";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });

const workbench = createRoute({ getParentRoute: () => shell, path: "/", component: Workbench });

const studies = createRoute({
  getParentRoute: () => shell,
  path: "/studies",
  component: lazyRouteComponent(() => import("./studies/StudyList")),
});

const newStudy = createRoute({
  getParentRoute: () => shell,
  path: "/studies/new",
  component: lazyRouteComponent(() => import("./studies/NewStudy")),
});

const study = createRoute({
  getParentRoute: () => shell,
  path: "/studies/$study",
  component: lazyRouteComponent(() => import("./studies/StudyPage")),
});

const lab = createRoute({
  getParentRoute: () => shell,
  path: "/lab",
  component: lazyRouteComponent(() => import("./lab/LabList")),
});

const newRun = createRoute({
  getParentRoute: () => shell,
  path: "/lab/new",
  component: lazyRouteComponent(() => import("./lab/NewRun")),
});

const run = createRoute({
  getParentRoute: () => shell,
  path: "/lab/$run",
  component: lazyRouteComponent(() => import("./lab/RunPage")),
});

const newDiagnosis = createRoute({
  getParentRoute: () => shell,
  path: "/lab/diagnoses/new",
  component: lazyRouteComponent(() => import("./lab/diagnosis/NewDiagnosis")),
});

const diagnosis = createRoute({
  getParentRoute: () => shell,
  path: "/lab/diagnoses/$diagnosis",
  component: lazyRouteComponent(() => import("./lab/diagnosis/DiagnosisPage")),
});

const newEdit = createRoute({
  getParentRoute: () => shell,
  path: "/lab/edits/new",
  component: lazyRouteComponent(() => import("./lab/edits/NewEdit")),
});

const edit = createRoute({
  getParentRoute: () => shell,
  path: "/lab/edits/$edit",
  component: lazyRouteComponent(() => import("./lab/edits/EditPage")),
});

const functions = createRoute({
  getParentRoute: () => shell,
  path: "/lab/functions",
  component: lazyRouteComponent(() => import("./lab/functions/FunctionsPage")),
});

const annotate = createRoute({
  getParentRoute: () => root,
  path: "/s/$study",
  component: lazyRouteComponent(() => import("./annotate/AnnotatePage")),
});

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren([
      workbench,
      studies,
      newStudy,
      study,
      lab,
      newRun,
      run,
      newDiagnosis,
      diagnosis,
      newEdit,
      edit,
      functions,
    ]),
    annotate,
  ]),
  parseSearch: readSearch,
  stringifySearch: (search) => {
    const written = writeSearch(search);
    return written && `?${written}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
