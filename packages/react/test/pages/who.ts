import type { SessionContextValue } from "@latchkey/react"
import { createElement, type ReactElement } from "react"

/** Also rendered by a server. */
export function Who({ status, data }: SessionContextValue): ReactElement {
  return createElement("p", { id: "who" }, `${status} ${data?.user?.name ?? "nobody"}`)
}
