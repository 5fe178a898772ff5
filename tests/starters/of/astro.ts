import type { Starter } from "../starter.js"

export const astro: Starter = {
  id: "astro",
  create: ["npx", "create-astro@5.2.4", "app", "--template", "minimal", "--no-install", "--no-git", "--yes"],
  template: "astro",
  guide: { page: "astro", sections: ["", "In pages", "Protect a page"] },
  basePath: "/auth",
  types: ["npx", "--package", "@astrojs/check", "--package", "typescript@6.0.3", "astro-check"],
  build: ["npm", "run", "build"],
  start: ["npm", "run", "preview", "--", "--port", "{port}"],
  dev: ["npm", "run", "dev", "--", "--port", "{port}"],
  visit: {
    account: "/account",
    pages: true,
    signIn: { path: "/", button: "Sign in with GitHub" },
    signOut: { path: "/", button: /Sign out/ },
  },
}
