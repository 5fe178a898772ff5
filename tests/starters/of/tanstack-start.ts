import type { Starter } from "../starter.js"

export const tanstackStart: Starter = {
  id: "tanstack-start",
  create: [
    "npx",
    "@tanstack/cli@0.71.0",
    "create",
    "app",
    "--non-interactive",
    "--no-intent",
    "--no-install",
    "--no-git",
  ],
  guide: { page: "tanstack-start", sections: ["", "Protect a page", "Sign in and out"] },
  basePath: "/auth",
  types: ["npx", "tsc", "--noEmit"],
  build: ["npm", "run", "build"],
  start: ["npm", "run", "preview", "--", "--port", "{port}", "--strictPort"],
  dev: ["npx", "vite", "dev", "--port", "{port}", "--strictPort"],
  visit: {
    account: "/account",
    pages: true,
    signIn: { path: "/", button: "Sign in with GitHub" },
    signOut: { path: "/", button: /Sign out/ },
  },
  signInPage: { guide: { page: "components", sections: ["With TanStack Start"] }, path: "/sign-in" },
}
