import { readFileSync } from "node:fs"

const controller = readFileSync(new URL("../../examples/nestjs/src/pages.controller.ts", import.meta.url), "utf8")

/** The routes of `step-up.ts`. */
const routes = `@Get("transfer")
  @Header("content-type", "text/html; charset=utf-8")
  async transfer(@Req() request: IncomingMessage): Promise<string> {
    return accountPage(await this.#auth.requireSession(request, { maxAge: "1h" }))
  }

  @Get("api/transfer")
  async apiTransfer(@Req() request: IncomingMessage) {
    const { user } = await this.#auth.requireSession(request, { maxAge: "1h" })
    const { problem } = await this.#auth.token(request, "op")
    return { email: user.email, problem }
  }

  `

/** The controller of the example with these routes. */
export const stepUpFiles: Readonly<Record<string, string>> = {
  "src/pages.controller.ts": controller.replace('@Public()\n  @Get("api/csrf-token")', `${routes}$&`),
}
