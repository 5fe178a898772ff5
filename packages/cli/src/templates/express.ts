import { existsSync } from "node:fs"
import { join } from "node:path"
import type { FileToWrite } from "../project/files.js"
import type { Project } from "../project/project.js"

/** The file for Express 4 and 5. */
export function expressFiles({ root, manifest, typescript }: Project): FileToWrite[] {
  const folder = existsSync(join(root, "src")) ? "src/" : ""
  const name = typescript ? "auth.ts" : manifest.type === "module" ? "auth.js" : "auth.mjs"
  return [{ path: folder + name, text: typescript ? typed : untyped }]
}

/** The lines to add to the file that creates the app. It's the developer's own, so `init` doesn't change it. */
export function expressLines(path: string): string[] {
  const from = `./${path.replace(/^src\//, "").replace(/\.ts$/, ".js")}`
  return [
    `import { authentication, readSession, requireSession } from "${from}"`,
    "",
    'app.set("trust proxy", "loopback") // if the app runs behind a reverse proxy',
    'app.use("/auth", authentication)',
    "app.use(readSession)",
    'app.get("/account", requireSession, (req, res) => res.send(`Hello ${res.locals.session.user?.name}`))',
  ]
}

const typed = [
  'import { ExpressAuth, type ExpressAuthConfig, getSession } from "@latchkey/express"',
  'import type { NextFunction, Request, Response } from "express"',
  `
export const authConfig: ExpressAuthConfig = {
  basePath: "/auth",
  security: "strict",
  providers: [],
}

/** The routes for sign-in: \`app.use("/auth", authentication)\` */
export const authentication = ExpressAuth(authConfig)

/** Sets \`res.locals.session\` to the session, or to null. */
export async function readSession(req: Request, res: Response, next: NextFunction): Promise<void> {
  try {
    res.locals["session"] = await getSession(req, authConfig, res)
    next()
  } catch (error) {
    next(error)
  }
}

/** Redirects visitors who aren't signed in to the sign-in page. */
export function requireSession(req: Request, res: Response, next: NextFunction): void {
  if (res.locals["session"]) next()
  else res.redirect(\`/auth/signin?callbackUrl=\${encodeURIComponent(req.originalUrl)}\`)
}
`,
].join("\n")

const untyped = typed
  .replace("type ExpressAuthConfig, ", "")
  .replace(/import type .*\n/, "")
  .replace(": ExpressAuthConfig", "")
  .replaceAll("(req: Request, res: Response, next: NextFunction)", "(req, res, next)")
  .replaceAll(/\): (?:Promise<void>|void) \{/g, ") {")
  .replaceAll('locals["session"]', "locals.session")
