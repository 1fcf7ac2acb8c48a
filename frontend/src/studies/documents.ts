/** What a study's owner sends and is told. */

import type {
  File,
  StudyDesign as GivenDesign,
  StudyDocument as GivenDocument,
  Filters as GivenFilters,
  Recruiting as GivenRecruiting,
  Texts as GivenTexts,
  Samples,
} from "../client/types.gen";

export type {
  AgainstPeople,
  Coherence,
  DatasetReading,
  Exclusion,
  ItemResult,
  Links,
  MeasuredItem,
  PairedTest,
  PeopleAndMeasures,
  PersonDocument,
  Preference,
  Preparation,
  Preview,
  ResultsDocument,
  Share,
  StudyLine,
} from "../client/types.gen";

import type { Exclusion } from "../client/types.gen";

export type Protocol = GivenDesign["protocol"];
export type StudyStatus = GivenDocument["status"];
export type Rule = Exclusion["rule"];

export type Filters = Required<GivenFilters>;
export type Texts = Required<GivenTexts>;
export type Recruiting = Required<GivenRecruiting>;
export type Provider = Recruiting["providers"][number];

/** What the form offers: sample sentences, or a file. */
export type Dataset = Required<Samples> | (File & { kind: "file" });

/** A design with every value said. Own attention checks and practice are for those who write their design themselves. */
export type StudyDesign = Omit<
  Required<GivenDesign>,
  "dataset" | "filters" | "gold" | "practice" | "recruiting" | "texts"
> & { dataset: Dataset; filters: Filters; practice: null | []; recruiting: Recruiting; texts: Texts };

/** The server says every value of a design, given or not. */
export type StudyDocument = Omit<GivenDocument, "design" | "texts"> & { design: StudyDesign; texts: Texts };
