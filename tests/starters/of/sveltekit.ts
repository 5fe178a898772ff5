import type { Starter } from "../starter.js"

export const sveltekit: Starter = {
  id: "sveltekit",
  create: [
    "npx",
    "sv@0.17.1",
    "create",
    "app",
    "--template",
    "minimal",
    "--types",
    "ts",
    "--no-add-ons",
    "--no-install",
  ],
  guide: { page: "sveltekit", sections: ["", "Sign in and out", "Protect pages and endpoints"] },
  basePath: "/auth",
  types: ["npm", "run", "check"],
  build: ["npm", "run", "build"],
  start: ["npm", "run", "preview", "--", "--port", "{port}", "--strictPort"],
  dev: ["npm", "run", "dev", "--", "--port", "{port}", "--strictPort"],
  visit: {
    account: "/account",
    pages: true,
    signIn: { path: "/", button: "Sign in with GitHub" },
    signOut: { path: "/", button: /Sign out/ },
  },
}
