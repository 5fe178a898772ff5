import type { Starter } from "../starter.js"

export const qwik: Starter = {
  id: "qwik",
  create: ["npx", "create-qwik@1.20.1", "empty", "./app"],
  guide: { page: "qwik", sections: ["", "Sign in and out", "Protect a page"] },
  basePath: "/auth",
  build: ["sh", "-c", "npm run build && npx qwik build preview"],
  start: ["npx", "vite", "preview", "--port", "{port}", "--strictPort"],
  dev: ["npm", "run", "dev", "--", "--port", "{port}", "--strictPort"],
  visit: {
    account: "/dashboard/",
    pages: true,
    signIn: { path: "/", button: "Sign in with GitHub" },
    signOut: { path: "/", button: /Sign out/ },
  },
}
