import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// `make dev` says where the API is; the built page is served by the API itself.
const api = process.env.ESPALIER_API ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react()],
  build: {
    rolldownOptions: { input: ["index.html", "docs.html"] },
    // The API reference is one ready-made bundle that only /docs loads.
    chunkSizeWarningLimit: 2000,
  },
  // A busy machine is not a failure: long sentences are drawn in full.
  test: { testTimeout: 60_000 },
  // The file that both languages read stands beside the Python code.
  server: { fs: { allow: [".."] }, proxy: { "/v1": api, "/health": api, "/openapi.json": api } },
});
