import { Button } from "../controls/Button";
import { type ViewName, views } from "../views/registry";

interface Props {
  only: ViewName | null;
  onOnly(view: ViewName | null): void;
}

/** All views at once, or one of them with the whole width. */
export function ViewTabs({ only, onOnly }: Props) {
  const entries: [ViewName | null, string][] = [
    [null, "All"],
    ...views.map((view): [ViewName, string] => [view.name, view.title]),
  ];
  return (
    <fieldset className="segments">
      <legend className="unseen">Views shown</legend>
      {entries.map(([name, title]) => (
        <Button kind="bare" key={title} aria-pressed={only === name} onClick={() => onOnly(name)}>
          {title}
        </Button>
      ))}
    </fieldset>
  );
}
