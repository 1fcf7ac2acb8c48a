import { lab, rgb } from "d3-color";
import { describe, expect, test } from "vitest";
import { contrast, filled, READABLE, side, type Theme, tint } from "./colour";

const THEMES: Theme[] = ["light", "dark"];
const PAPER = { light: "#ffffff", dark: "#1f1e25" };
const VALUES = Array.from({ length: 201 }, (_, step) => -1 + step / 100);

/** Complete lack of one kind of cone, in linear light (Machado, Oliveira & Fernandes, 2009, severity 1). */
const BLINDNESS = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

describe.each(THEMES)("on %s paper", (theme) => {
  test("every colour has an ink that can be read on it", () => {
    for (const value of VALUES) {
      const { fill, ink } = tint(value, 1, theme);
      expect(contrast(fill, ink), `${value} ${fill}`).toBeGreaterThanOrEqual(READABLE);
    }
  });

  test("zero is in the middle, and what lies beyond the domain has the colour of its end", () => {
    expect(tint(0, 3, theme)).toEqual(tint(0, 1, theme));
    expect(tint(7, 3, theme)).toEqual(tint(3, 3, theme));
    expect(tint(-7, 3, theme)).toEqual(tint(-3, 3, theme));
    expect(tint(5, 0, theme)).toEqual(tint(0, 1, theme));
  });

  test("colours leave the paper steadily on both sides", () => {
    const distance = (value: number) => Math.abs(lab(tint(value, 1, theme).fill).l - lab(PAPER[theme]).l);
    for (const sign of [1, -1]) {
      const distances = [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => distance(sign * value));
      expect(distances).toEqual([...distances].sort((a, b) => a - b));
    }
  });

  test.each(Object.entries(BLINDNESS))("the two sides stay apart with %s", (_, matrix) => {
    for (const value of [0.4, 0.6, 0.8]) {
      const towards = seen(tint(value, 1, theme).fill, matrix);
      const away = seen(tint(-value, 1, theme).fill, matrix);
      expect(Math.hypot(towards.l - away.l, towards.a - away.a, towards.b - away.b)).toBeGreaterThan(20);
    }
  });

  test("lines stand out from the paper", () => {
    expect(contrast(side(1, theme), PAPER[theme])).toBeGreaterThanOrEqual(3);
    expect(contrast(side(-1, theme), PAPER[theme])).toBeGreaterThanOrEqual(3);
  });
});

test("a block carries the light colour itself and the dark one beside it", () => {
  expect(filled(1, 1)).toEqual({
    className: "themed-fill",
    fill: tint(1, 1, "light").fill,
    style: { "--light": tint(1, 1, "light").fill, "--dark": tint(1, 1, "dark").fill },
  });
});

function seen(colour: string, matrix: readonly number[]) {
  const { r, g, b } = rgb(colour);
  const light = [r, g, b].map((channel) => (channel / 255) ** 2.2);
  const row = (index: number) =>
    [0, 1, 2].reduce((sum, place) => sum + (matrix[3 * index + place] ?? 0) * (light[place] ?? 0), 0);
  const [red, green, blue] = [0, 1, 2].map((index) => 255 * Math.max(0, row(index)) ** (1 / 2.2));
  return lab(rgb(red ?? 0, green ?? 0, blue ?? 0));
}
