import type { Starter } from "../starter.js"

const root = `{imports}
import { Module } from "@nestjs/common"
import { PagesController } from "./pages.controller.js"

@Module({ imports: [AuthModule], controllers: [PagesController] })
export class AppModule {}
`

export const nestjs: Starter = {
  id: "nestjs",
  create: ["npx", "@nestjs/cli@12.0.8", "new", "app", "--package-manager", "npm", "--skip-git", "--skip-install"],
  guide: { page: "nestjs", sections: [""] },
  init: { except: ["src/auth.module.ts"], files: { "src/app.module.ts": root } },
  basePath: "/auth",
  types: ["npx", "tsc", "--noEmit"],
  build: ["npm", "run", "build"],
  start: ["env", "PORT={port}", "npm", "start", "--", "--env-file", ".env"],
  dev: ["env", "PORT={port}", "npm", "run", "start:dev", "--", "--env-file", ".env"],
  visit: { account: "/account", pages: false },
}
