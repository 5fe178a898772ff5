import type { Starter } from "../starter.js"

/** The guide is about the browser: the auth routes are on a server that Vite doesn't start. */
export const react: Starter = {
  id: "react",
  create: ["npx", "create-vite@9.3.0", "app", "--template", "react-ts", "--no-interactive"],
  guide: { page: "react", sections: ["Get started"] },
  init: null,
  basePath: "/auth",
  build: ["npm", "run", "build"],
  start: ["npm", "run", "preview", "--", "--port", "{port}", "--strictPort"],
  dev: ["npm", "run", "dev", "--", "--port", "{port}", "--strictPort"],
  visit: { account: "/", pages: true, isClient: true },
  signInPage: { guide: { page: "components", sections: ["With Vite"] }, path: "/" },
}
