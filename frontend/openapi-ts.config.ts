import { defineConfig } from "@hey-api/openapi-ts";

// `npm run client` writes src/client anew from the server's own description, which `make openapi` writes.
export default defineConfig({
  input: process.env.ESPALIER_OPENAPI ?? "../docs/openapi.json",
  output: process.env.ESPALIER_CLIENT ?? "src/client",
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
});
