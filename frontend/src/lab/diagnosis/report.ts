/** What a diagnosis says in its report. */
import type { DiagnosisDocument, DiagnosisResults, ModelFindings } from "../documents";
import { meanOf } from "../NumberCell";
import type { Report, Table } from "../report";
import { large, number, sourceOf } from "../wording";
import { CONTEXT_FREE_NOTE, SIGNS } from "./ContextFreeTable";
import { CONTRAST, contrastLines, contrastNote } from "./ContrastTables";
import { DEPTHS_NOTE } from "./Depths";
import { FIT_NOTE, LEVELS } from "./FitTable";
import type { Line } from "./IntervalTable";
import { LINEARITY, linearityLines, linearityNote } from "./LinearityTable";
import { both, HEAD, OVERFITTING_NOTE, testsOf } from "./Overfitting";
import { diagnosisTitle, foundOut, keptInMind, trainedOn } from "./wording";

export function diagnosisReport(run: DiagnosisDocument, results: DiagnosisResults): Report {
  const tables = [
    linearity(results, run.design.linear ?? ""),
    depths(results),
    ...results.models.map(contrast),
    overfitting(results),
    errors(results),
    signs(results),
  ];
  return {
    title: diagnosisTitle(run),
    lead: `${foundOut(run.design)}; ${large(results.texts)} texts (${sourceOf(run.design)})${trainedOn(results)}, seed ${results.seed}`,
    warnings: keptInMind(results),
    tables: tables.filter(({ rows }) => rows.length > 0),
    paragraph: results.paragraph,
  };
}

const titles = (columns: readonly { title: string }[]) => columns.map(({ title }) => title);

const rowOf =
  (digits: number) =>
  ({ name, cells, texts }: Line) => ({
    name,
    cells: [...cells.map((each) => ({ ...each, digits })), large(texts)],
  });

const linearity = (results: DiagnosisResults, linear: string): Table => ({
  title: `Correlation with ${linear}`,
  head: ["Model", ...titles(LINEARITY), "Texts"],
  rows: linearityLines(results).map(rowOf(3)),
  note: linearityNote(linear),
});

const depths = ({ models }: DiagnosisResults): Table => ({
  title: "Depth of the top nodes",
  head: ["Model", "Top nodes", "Depth", "Any node", "p"],
  rows: models.flatMap(({ model, depths: own }) =>
    own
      .filter(({ depth }) => depth.mean !== null)
      .map(({ top, depth, chance, p }) => ({
        name: model,
        cells: [large(top), { ...meanOf(depth), digits: 2 }, number(chance.mean, 2), number(p, 4)],
      })),
  ),
  note: DEPTHS_NOTE,
});

const contrast = ({ model, contrast: found }: ModelFindings): Table => ({
  title: `Words of contrast: ${model}`,
  head: ["Word", ...titles(CONTRAST), "Texts"],
  rows: found ? contrastLines(found).map(rowOf(2)) : [],
  note: found ? contrastNote(found) : "",
});

const overfitting = (results: DiagnosisResults): Table => ({
  title: "Overfitting",
  head: ["Model", ...HEAD],
  rows: testsOf(results).map(({ model, test }) => ({
    name: model,
    cells: [
      meanOf(test.train.variance),
      meanOf(test.test.variance),
      number(test.p, 4),
      both(test, "loss"),
      both(test, "accuracy"),
    ],
  })),
  note: OVERFITTING_NOTE,
});

const errors = ({ models }: DiagnosisResults): Table => ({
  title: "Fit by number of interactions",
  head: [
    "Model",
    ...titles(LEVELS).map((title) => `${title} ↓`),
    "p of the first",
    "p of further ones",
    "Texts with one",
  ],
  rows: models.flatMap(({ model, fit: line }) =>
    line
      ? [
          {
            name: model,
            cells: [
              ...LEVELS.map(({ part }) => meanOf(line[part])),
              number(line.first_p, 4),
              number(line.further_p, 4),
              `${line.found.count} of ${line.found.of}`,
            ],
          },
        ]
      : [],
  ),
  note: FIT_NOTE,
});

const signs = ({ models }: DiagnosisResults): Table => ({
  title: "Free of the context?",
  head: ["Words", "Model", "Sign", "Same sign", "Where it is clear", "Random pairs", "Rank", "Texts"],
  rows: models
    .flatMap(({ context_free }) => context_free)
    .map((line) => ({
      name: line.words.join(" … "),
      cells: [
        line.model,
        SIGNS[line.sign] ?? "",
        { ...line.same, value: line.same.share },
        { ...line.clear, value: line.clear.share },
        meanOf(line.random),
        number(line.rank),
        `${line.same.of} of ${line.texts}`,
      ],
    })),
  note: CONTEXT_FREE_NOTE,
});
