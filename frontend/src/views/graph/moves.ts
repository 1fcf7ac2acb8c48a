/** Where the keyboard goes: left and right along words or along arrows, up and down from one to the other. */

import { arrowKey } from "./arrows";
import type { Course } from "./layout";

/** The key of the mark that an arrow key leads to from another; null for keys that lead nowhere. */
export function nextMark(
  from: string,
  pressed: string,
  words: number,
  courses: readonly Course[],
): string | null {
  const order = [...courses].sort((one, other) => leftOf(one) - leftOf(other) || one.height - other.height);
  const course = order.find(({ arrow }) => arrowKey(arrow) === from);
  if (course) return fromArrow(course, pressed, order);
  return fromWord(Number(from), pressed, words, order);
}

function fromWord(word: number, pressed: string, words: number, order: readonly Course[]): string | null {
  switch (pressed) {
    case "ArrowLeft":
      return String(Math.max(0, word - 1));
    case "ArrowRight":
      return String(Math.min(words - 1, word + 1));
    case "Home":
      return "0";
    case "End":
      return String(words - 1);
    case "ArrowUp":
    case "ArrowDown": {
      const mine = order.filter(
        ({ arrow, above }) =>
          above === (pressed === "ArrowUp") && (arrow.adds === word || arrow.given === word),
      );
      const nearest = mine.reduce<Course | undefined>(
        (low, one) => (low && low.height <= one.height ? low : one),
        undefined,
      );
      return nearest ? arrowKey(nearest.arrow) : null;
    }
    default:
      return null;
  }
}

function fromArrow(course: Course, pressed: string, order: readonly Course[]): string | null {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[pressed];
  if (step !== undefined) {
    const next = order[(order.indexOf(course) + step + order.length) % order.length];
    return next ? arrowKey(next.arrow) : null;
  }
  // Towards the words is back to the word that adds; away from them is on to the arrow above or below.
  const towards = course.above ? "ArrowDown" : "ArrowUp";
  if (pressed === towards) return String(course.arrow.adds);
  if (pressed !== "ArrowUp" && pressed !== "ArrowDown") return null;
  const farther = order
    .filter((other) => other.above === course.above && other.height > course.height && meets(other, course))
    .sort((one, other) => one.height - other.height)[0];
  return farther ? arrowKey(farther.arrow) : null;
}

function leftOf({ start, end }: Course): number {
  return Math.min(start, end);
}

function meets(one: Course, other: Course): boolean {
  const range = ({ start, end }: Course) => [Math.min(start, end), Math.max(start, end)] as const;
  const [from, to] = range(one);
  const [otherFrom, otherTo] = range(other);
  return from < otherTo && otherFrom < to;
}
