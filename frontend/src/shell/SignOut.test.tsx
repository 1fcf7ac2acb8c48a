// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { SignOut } from "./SignOut";

const HINT = "espalier_signed_in";

function keep(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it; the test's browser has no store of cookies
  document.cookie = cookie;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  keep(`${HINT}=; max-age=0`);
});

test("who did not enter a key is not offered to sign out", () => {
  keep("another_espalier_signed_in=yes");
  render(<SignOut />);
  expect(screen.queryByRole("button")).toBeNull();
});

test("signing out tells the server and leads to where a key is entered", async () => {
  keep(`${HINT}=yes`);
  const asked = vi.fn(async (request: Request) => new Response(request.method));
  const went = vi.fn();
  vi.stubGlobal("fetch", asked);
  vi.spyOn(window.location, "assign").mockImplementation(went);
  render(<SignOut />);
  fireEvent.click(screen.getByRole("button", { name: "Sign out" }));
  await waitFor(() => expect(went).toHaveBeenCalledWith("/sign-in"));
  const request = asked.mock.calls[0]?.[0];
  expect([request?.method, request && new URL(request.url).pathname]).toEqual(["POST", "/sign-out"]);
});

test("who could not be signed out is told so, and can try again", async () => {
  keep(`${HINT}=yes`);
  vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
  render(<SignOut />);
  fireEvent.click(screen.getByRole("button", { name: "Sign out" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Not signed out");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Sign out" }).disabled).toBe(false);
});
