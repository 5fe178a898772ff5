import type { SessionContextValue } from "@latchkey/react"
import { createElement, type ReactElement } from "react"

/** Also rendered on a server. */
export function SessionText({ status, data }: SessionContextValue): ReactElement {
  return createElement("p", { id: "who" }, `${status} ${data?.user?.name ?? "visitor"}`)
}
