/** The rooms of the interface and which of them know each other, read from the imports themselves. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

/** From the ground up: a room imports from rooms of the floors below it, and not from its neighbours. */
const FLOORS: readonly (readonly string[])[] = [
  ["client", "appearance"],
  ["explanation", "colour"],
  ["spans"],
  ["service", "marks", "controls"],
  ["views"],
  ["state", "share"],
  ["shell"],
  ["annotate"],
  ["workbench", "studies"],
  ["lab"],
  ["routes"],
  ["main"],
];

const HERE = import.meta.dirname;

const sources = readdirSync(HERE, { recursive: true, encoding: "utf-8" })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$|^docs\.ts$/.test(name))
  .map((name) => ({ name, room: roomOf(name), text: readFileSync(join(HERE, name), "utf-8") }));

function roomOf(path: string): string {
  return (path.split("/")[0] ?? "").replace(/\.tsx?$/, "");
}

function importsOf({ name, text }: { name: string; text: string }): string[] {
  return [...text.matchAll(/(?:from|import|import\()\s*"(\.[^"]*)"/g)].map(([, path = ""]) =>
    relative(HERE, join(HERE, dirname(name), path)),
  );
}

const floorOf = (room: string) => FLOORS.findIndex((floor) => floor.includes(room));

test("every file stands in a room that has its floor", () => {
  expect([...new Set(sources.map(({ room }) => room))].filter((room) => floorOf(room) < 0)).toEqual([]);
});

test("rooms know only what is below them", () => {
  const climbing = sources.flatMap((source) =>
    importsOf(source)
      .filter((path) => roomOf(path) !== source.room && floorOf(roomOf(path)) >= floorOf(source.room))
      .map((path) => `${source.name} imports ${path}`),
  );
  expect(climbing).toEqual([]);
});

test("the server is called by the generated client alone, and its events are opened in one place", () => {
  const calling = sources
    .filter(({ room, text }) => room !== "client" && /\bfetch\(|XMLHttpRequest|new EventSource/.test(text))
    .map(({ name }) => name);
  expect(calling).toEqual(["service/explanations.ts"]);
});

/** What follows a hand. What is pressed or filled in has its own from the controls, marks have theirs from the hook. */
const HANDLERS = /\bon(?:Pointer|Mouse|Touch|Key|Focus|Blur)\w*[=:(]/;

test("pointer and keys on marks are handled by one hook", () => {
  const own = sources
    .filter(({ room, text }) => !["marks", "controls"].includes(room) && HANDLERS.test(text))
    .map(({ name }) => name);
  expect(own).toEqual([]);
});

/** Whatever is pressed or filled in. A hidden field is neither: it goes along with a form that somebody else reads. */
const CONTROLS = /<(?:button|select|textarea)\b|<input\b(?![^>]*type="hidden")|"field[" ]/;

test("buttons and fields of all pages and pictures come from one room", () => {
  const own = sources
    .filter(({ room, text }) => room !== "controls" && CONTROLS.test(text))
    .map(({ name }) => name);
  expect(own).toEqual([]);
  expect(readFileSync(join(HERE, "marks", "marks.css"), "utf-8")).not.toMatch(/\bbutton\b/);
});

/** What a reference is called, the catalog knows; two names are needed before it is there, and have one place. */
const REFERENCES = /"(?:pad|delete|marginal|conditional|in-domain)"|reference\b[^\n]*"mask"/;

test("references are named in one place", () => {
  const naming = sources
    .filter(
      ({ name, room, text }) => room !== "client" && !name.includes("fixtures") && REFERENCES.test(text),
    )
    .map(({ name }) => name);
  expect(naming).toEqual(["explanation.ts"]);
});

test("the rooms of the question know no method by its name", () => {
  const naming = sources
    .filter(({ room, text }) => room === "state" && /"(?:shap|asiv|mahe|lime|hedge|ls-tree)"/.test(text))
    .map(({ name }) => name);
  expect(naming).toEqual([]);
});
