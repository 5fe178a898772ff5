"use client"

import { SessionProvider as Provider, type SessionProviderProps } from "@latchkey/react"
import type { Session } from "@latchkey/core/types"
import { createElement, type ReactElement } from "react"

export * from "@latchkey/react"

/** Provides the session to `useSession`. It's the one of `@latchkey/react`, with `/auth` as the default of `basePath`. */
export function SessionProvider<S extends object = Session>(props: SessionProviderProps<S>): ReactElement {
  return createElement(Provider<S>, { basePath: "/auth", ...props })
}
