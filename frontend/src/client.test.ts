import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const HERE = join(import.meta.dirname, "..");

function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf-8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), "utf-8")]));
}

test("the committed client is what the committed description of the API makes (npm run client)", () => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  try {
    execFileSync(process.execPath, [join(HERE, "node_modules/@hey-api/openapi-ts/bin/run.js")], {
      cwd: HERE,
      env: { ...process.env, ESPALIER_CLIENT: folder },
      stdio: "pipe",
    });
    expect(filesOf(join(HERE, "src/client"))).toEqual(filesOf(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
