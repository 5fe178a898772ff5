import type { Starter } from "../starter.js"

export const reactRouter: Starter = {
  id: "react-router",
  create: ["npx", "create-react-router@8.4.0", "app", "--yes", "--no-install", "--no-git-init"],
  template: "react-router",
  guide: {
    page: "react-router",
    sections: ["", "Protect a page or a route", "Sign in and out"],
    except: ["react-router.config.ts"],
  },
  basePath: "/auth",
  types: ["npm", "run", "typecheck"],
  build: ["npm", "run", "build"],
  start: ["env", "PORT={port}", "npm", "start"],
  dev: ["npm", "run", "dev", "--", "--port", "{port}", "--strictPort"],
  visit: { account: "/account", pages: true, signIn: { path: "/", button: "Sign in with GitHub" } },
  signInPage: { guide: { page: "components", sections: ["With React Router"] }, path: "/sign-in" },
}
