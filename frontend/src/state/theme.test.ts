// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { chooseTheme, currentTheme } from "./theme";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a theme is chosen even where the browser forbids to keep anything", () => {
  const forbidden = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(forbidden);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(forbidden);
  vi.spyOn(Storage.prototype, "removeItem").mockImplementation(forbidden);
  chooseTheme("dark");
  expect(currentTheme()).toBe("dark");
  expect(document.documentElement.dataset.theme).toBe("dark");
  chooseTheme("light");
  expect(currentTheme()).toBe("light");
  expect(document.documentElement.dataset.theme).toBeUndefined();
});
