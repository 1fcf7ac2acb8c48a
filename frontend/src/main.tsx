import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./routes";
import { answered } from "./service/explanations";
import { applyTheme } from "./state/theme";
import "./style/index.css";

applyTheme();

// What the server refused it would refuse again; only silence is worth another try.
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: (times, error) => !answered(error) && times < 3, refetchOnWindowFocus: false },
  },
});

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
