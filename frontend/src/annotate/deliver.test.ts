import { expect, test } from "vitest";
import { ServiceProblem } from "../service/problem";
import { deliver, pauseBefore } from "./deliver";
import type { Saving } from "./SavingState";

test("an answer is sent again until it arrives, and the page says so", async () => {
  const told: Saving["state"][] = [];
  const pauses: number[] = [];
  let sent = 0;
  const send = async () => {
    sent += 1;
    if (sent < 4) throw new TypeError("Failed to fetch");
    return "kept";
  };
  const kept = await deliver(
    send,
    (saving) => told.push(saving.state),
    async (milliseconds) => void pauses.push(milliseconds),
  );
  expect(kept).toBe("kept");
  expect(told).toEqual(["saving", "retrying", "retrying", "retrying", "saved"]);
  expect(pauses).toEqual([500, 1000, 2000]);
});

test("what the server refuses is not sent again", async () => {
  let sent = 0;
  const refused = deliver(
    async () => {
      sent += 1;
      throw new ServiceProblem({ detail: "this study is closed", code: "closed", status: 409 });
    },
    () => {},
  );
  await expect(refused).rejects.toThrow("this study is closed");
  expect(sent).toBe(1);
});

test("pauses grow, but never beyond eight seconds", () => {
  expect([1, 2, 3, 4, 5, 6, 20].map(pauseBefore)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
});
