import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Button } from "../controls/Button";
import { useCatalog } from "../service/catalog";
import { Problem } from "../studies/Problem";
import { Scroll } from "../studies/results/Scroll";
import type { Sentenced } from "./sentenced";
import { large, number } from "./wording";
import { toWorkbench } from "./workbench";

const PAGE = 10;

/** All sentences, a page at a time; every number leads to the workbench, explained in that way. */
export function Sentences({
  run,
  measure,
  start,
}: {
  run: Sentenced;
  measure: string;
  /** A sentence to go to. */
  start: number | null;
}) {
  const [after, setAfter] = useState(0);
  useEffect(() => {
    if (start !== null) setAfter(Math.floor(start / PAGE) * PAGE);
  }, [start]);
  const { data, error } = run.useSentences(after, PAGE);
  const { data: catalog } = useCatalog();
  const last = Math.min(run.texts, after + PAGE);
  const texts = data?.texts.map((each) => ({
    ...each,
    rows: each.rows.filter((row) => run.has(row, measure)),
  }));
  const lines = texts?.find(({ rows }) => rows.length > 0)?.rows ?? [];
  return (
    <div className="sentences">
      <Problem error={error} />
      <Scroll name="Sentences and what was measured of them">
        <table className="measures">
          <thead>
            <tr>
              <th scope="col">Sentence</th>
              {lines.map((row) => (
                <th key={`${row.model} ${row.method} ${row.reference}`} scope="col" className="number">
                  {run.name(row)}
                  {run.models.length > 1 && run.name(row) !== row.model && (
                    <span className="quiet-line">{row.model}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {texts?.map(({ index, text, rows }) => (
              <tr key={index} className={index === start ? "chosen-row" : undefined}>
                <th scope="row" className="sentence">
                  <bdi>{text.length > 160 ? `${text.slice(0, 160)}…` : text}</bdi>
                </th>
                {rows.map((row) => {
                  const measured = row.measured as {
                    values?: Record<string, number>;
                    problem?: string | null;
                  };
                  const value = measured.values?.[measure];
                  const shown = number(value);
                  const baseline = row.reference === "";
                  return (
                    <td
                      key={`${row.model} ${row.method} ${row.reference}`}
                      className="number"
                      title={measured.problem ?? undefined}
                    >
                      {baseline || measured.problem ? (
                        shown
                      ) : (
                        <Link
                          to="/"
                          search={toWorkbench(text, row, catalog) as never}
                          aria-label={`${shown}: explain with ${row.method} on ${row.model}`}
                        >
                          {shown}
                        </Link>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <div className="actions pager">
        <Button disabled={after === 0} onClick={() => setAfter(Math.max(0, after - PAGE))}>
          Before
        </Button>
        <span className="hint">
          {large(after + 1)} to {large(last)} of {large(run.texts)}
        </span>
        <Button disabled={last >= run.texts} onClick={() => setAfter(after + PAGE)}>
          Next
        </Button>
      </div>
    </div>
  );
}
