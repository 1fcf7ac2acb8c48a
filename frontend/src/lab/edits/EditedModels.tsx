import { Link } from "@tanstack/react-router";
import { Button, buttonLook } from "../../controls/Button";
import { useCatalog } from "../../service/catalog";
import { Problem } from "../../studies/Problem";
import type { EditedModel } from "../documents";
import { toComparison } from "../workbench";
import { useEditActions } from "./api";
import { together } from "./wording";

/** Edited models of no run that is listed, such as those of the command: each can be compared and undone. */
export function EditedModels({ models }: { models: readonly EditedModel[] }) {
  const { data: catalog } = useCatalog();
  const { undo } = useEditActions();
  if (models.length === 0) return null;
  return (
    <section className="runs" aria-label="Other edited models">
      <h2>Other edited models</h2>
      <ul className="study-list">
        {models.map(({ name, of, words, text, edit }) => (
          <li key={name} className="study-card card">
            <div className="study-card-head">
              <span className="study-title">{name}</span>
              <span className="actions">
                {text && (
                  <Link
                    to="/"
                    search={toComparison(text, of, name, catalog) as never}
                    className={buttonLook()}
                    aria-label={`Compare ${name} with ${of}`}
                  >
                    Compare
                  </Link>
                )}
                <Button
                  onClick={() => undo.mutate(name)}
                  disabled={undo.isPending}
                  aria-label={`Undo ${name}`}
                >
                  Undo
                </Button>
              </span>
            </div>
            <p className="hint">
              {of} at {together(words)}, {edit ? "edited in another's run" : "edited with the command"}
            </p>
          </li>
        ))}
      </ul>
      <Problem error={undo.error} />
    </section>
  );
}
