import type { EveryProp } from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import type { ReactNode } from "react"
import { checkProps } from "../check-props.js"
import type { SessionOf } from "../session.js"
import { useSession } from "../use-session.js"

export interface SignedInProps<A = Session> {
  /** What the user sees. A function gets the session. */
  readonly children?: ReactNode | ((session: SessionOf<A>) => ReactNode)
  /** Shown while the session isn't known yet. @default nothing */
  readonly fallback?: ReactNode
}

const known: EveryProp<SignedInProps> = { children: true, fallback: true }

/**
 * Shows its children if the user is signed in. It decides what a browser shows, so check the session on your server too.
 *
 * @example
 * ```tsx
 * import { SignedIn } from "@latchkey/react/components"
 *
 * export const Greeting = () => <SignedIn>{(session) => `Hello ${session.user?.name}`}</SignedIn>
 * ```
 * @throws Error outside a `SessionProvider`
 */
export function SignedIn<A = Session>(props: SignedInProps<A>): ReactNode {
  checkProps(props, { component: "SignedIn", props: known })
  const { children, fallback } = props
  const { status, data } = useSession<A>()
  if (status === "loading") return fallback
  if (status === "unauthenticated") return null
  return typeof children === "function" ? children(data) : children
}

export interface SignedOutProps {
  readonly children?: ReactNode
  /** Shown while the session isn't known yet. @default nothing */
  readonly fallback?: ReactNode
}

/**
 * Shows its children if the visitor isn't signed in.
 *
 * @example
 * ```tsx
 * import { SignedOut, SignInButton } from "@latchkey/react/components"
 *
 * export const Menu = () => (
 *   <SignedOut>
 *     <SignInButton />
 *   </SignedOut>
 * )
 * ```
 * @throws Error outside a `SessionProvider`
 */
export function SignedOut(props: SignedOutProps): ReactNode {
  checkProps(props, { component: "SignedOut", props: known })
  const { children, fallback } = props
  const { status } = useSession()
  if (status === "loading") return fallback
  return status === "unauthenticated" ? children : null
}
