import type { Starter } from "../starter.js"

export const nuxt: Starter = {
  id: "nuxt",
  create: [
    "npx",
    "create-nuxt@3.37.0",
    "app",
    "--template",
    "minimal",
    "--packageManager",
    "npm",
    "--no-install",
    "--no-gitInit",
  ],
  // The template keeps Vite at 8.3.8: with 8.4.0, Nuxt 4.5.2 can't build any application that has a page.
  template: "nuxt",
  guide: { page: "nuxt", sections: ["", "In pages and components", "Protect a page"] },
  basePath: "/auth",
  // What `nuxt typecheck` does, with programs that the starter leaves to the user.
  types: ["sh", "-c", "npx nuxt prepare && npx -p vue-tsc@3 -p typescript@6.0.3 vue-tsc --build --noEmit"],
  build: ["npm", "run", "build"],
  start: ["env", "PORT={port}", "npm", "run", "preview"],
  dev: ["npm", "run", "dev", "--", "--port", "{port}"],
  visit: {
    account: "/account",
    pages: true,
    signIn: { path: "/", button: "Sign in with GitHub" },
    signOut: { path: "/", button: /Sign out/ },
  },
}
