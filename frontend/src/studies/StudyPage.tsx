import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import { useTitle } from "../shell/useTitle";
import { useActions, useStudy } from "./api";
import { Lifecycle } from "./Lifecycle";
import { Overview } from "./Overview";
import { PreviewTab } from "./PreviewTab";
import { Problem } from "./Problem";
import { Recruiting } from "./Recruiting";
import { Results } from "./results/Results";
import { StatusMark } from "./StatusMark";
import "./studies.css";
import { saysOf } from "./wording";

const TABS = ["overview", "preview", "recruiting", "results"] as const;
type Tab = (typeof TABS)[number];
const TITLES: Record<Tab, string> = {
  overview: "Overview",
  preview: "Preview",
  recruiting: "Recruiting",
  results: "Results",
};

/** `/studies/{study}`: one study, from its preparation to its results. */
export default function StudyPage() {
  const { study: id } = useParams({ strict: false }) as { study: string };
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const { data: study, error } = useStudy(id);
  const actions = useActions(id);
  useTitle(study?.design.title ?? "Study");
  const shown = TABS.find((name) => name === tab) ?? "overview";
  return (
    <div className="studies study-page">
      <p className="trail">
        <Link to="/studies">Studies</Link>
      </p>
      <Problem error={error} />
      {study && (
        <>
          <header className="page-head">
            <div>
              <h1>{study.design.title}</h1>
              <p className="status-line">
                <StatusMark status={study.status} /> <span className="hint">{saysOf(study)}</span>
              </p>
            </div>
            <Lifecycle study={study} actions={actions} />
          </header>
          <Problem error={actions.move.error ?? actions.destroy.error} />
          <Tabs.Root
            value={shown}
            onValueChange={(chosen) => navigate({ to: ".", search: { tab: chosen } as never, replace: true })}
          >
            <Tabs.List className="tabs" aria-label="Parts of the study">
              {TABS.map((name) => (
                <Tabs.Trigger key={name} value={name}>
                  {TITLES[name]}
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            <Tabs.Content value="overview">
              <Overview study={study} actions={actions} />
            </Tabs.Content>
            <Tabs.Content value="preview">
              <PreviewTab study={study} />
            </Tabs.Content>
            <Tabs.Content value="recruiting">
              <Recruiting study={study} actions={actions} />
            </Tabs.Content>
            <Tabs.Content value="results">
              <Results study={study} actions={actions} />
            </Tabs.Content>
          </Tabs.Root>
        </>
      )}
    </div>
  );
}
