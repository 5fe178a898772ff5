// Types that applications import from `next-auth/lib`, which `moduleResolution: "node"` finds without an export.
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from "next"
import type { NextFetchEvent, NextMiddleware } from "next/server.js"
import type { NextAuthRequest } from "../wrapped-handler.js"
import type { AppRouteHandlerFn } from "./types.js"

export type { NextAuthConfig } from "../config.js"
export type { NextAuthRequest } from "../wrapped-handler.js"

export type NextAuthMiddleware = (request: NextAuthRequest, event: NextFetchEvent) => ReturnType<NextMiddleware>

/** What `auth` can be called with. */
export type WithAuthArgs =
  | [NextAuthRequest, NextFetchEvent]
  | [NextAuthMiddleware]
  | [AppRouteHandlerFn]
  | [NextApiRequest, NextApiResponse]
  | [GetServerSidePropsContext]
  | []
