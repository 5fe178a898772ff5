import { createServer as createHttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Auth, withEnv } from "@latchkey/core"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { ExpressAuth, type ExpressAuthConfig } from "@latchkey/express"
import NextAuth, { type NextAuthConfig } from "@latchkey/next"
import express from "express"
import { NextRequest } from "next/server.js"
import { onTestFinished } from "vitest"
import { withVariables } from "../differential/environment.js"
import { exchange } from "../differential/express.js"
import { qwikHandler } from "./qwik.js"

export type Handle = (request: Request) => Promise<Response>

/** A configuration as an application writes it, and its environment variables. */
export interface Deployment {
  /** Without `secret` and `url`. */
  readonly config: AuthConfig
  readonly secret: string
  /** `undefined`: the site doesn't know its URL. */
  readonly url: string | undefined
}

/** The ways into the engine that an application can use, each in production. */
export const doors: Readonly<Record<string, (deployment: Deployment) => Promise<Handle> | Handle>> = {
  "Auth()": (deployment) => {
    const config = byHand(deployment)
    return (request) => Auth(request, config)
  },
  "createServer()": (deployment) => {
    const server = createServer(byHand(deployment))
    return (request) => server.handle(request)
  },
  "withEnv()": (deployment) => {
    const config = withEnv(deployment.config, variablesOf(deployment))
    return (request) => Auth(request, config)
  },
  "NextAuth()": (deployment) => {
    const { handlers } = NextAuth({ basePath: "/auth", ...deployment.config } as NextAuthConfig)
    const handle = (request: Request) =>
      (request.method === "POST" ? handlers.POST : handlers.GET)(new NextRequest(request))
    return (request) => withVariables(variablesOf(deployment), () => handle(request))
  },
  "ExpressAuth()": async (deployment) => {
    const app = express().set("trust proxy", true)
    app.use("/auth", ExpressAuth(deployment.config as ExpressAuthConfig))
    const server = createHttpServer(app)
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return (request) => withVariables(variablesOf(deployment), () => exchange(port, request))
  },
  "QwikAuth$()": ({ config, ...rest }) => qwikHandler(config, variablesOf({ config, ...rest })),
}

function byHand({ config, secret, url }: Deployment): AuthConfig {
  return { environment: "production", secret, ...config, ...(url === undefined ? {} : { url }) }
}

function variablesOf({ secret, url }: Deployment): Record<string, string> {
  return { NODE_ENV: "production", AUTH_SECRET: secret, ...(url === undefined ? {} : { AUTH_URL: url }) }
}
