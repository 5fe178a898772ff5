import { __NEXTAUTH, signIn } from "@latchkey/react"
import type { Session } from "@latchkey/core/types"
import { useCallback, useEffect, useRef, useState } from "react"

export {
  getCsrfToken,
  getProviders,
  getSession,
  SessionContext,
  SessionProvider,
  signIn,
  signOut,
  useSession,
} from "@latchkey/react"
export type { SessionContextValue, SessionProviderProps, SignInOptions, SignInResponse } from "@latchkey/react"

/** Where the auth routes are. The other settings of `@hono/auth-js` are accepted and have no effect. */
export interface AuthClientConfig {
  baseUrl: string
  basePath: string
  credentials: RequestCredentials
  lastSync: number
  session: Session | null
  fetchSession: (...args: never[]) => Promise<void>
}

interface AuthConfigManager {
  setConfig(config: Partial<AuthClientConfig>): void
  getConfig(): Pick<AuthClientConfig, "baseUrl" | "basePath">
}

/**
 * Sets where the auth routes are, if that isn't `/api/auth`.
 *
 * @example
 * ```ts
 * import { authConfigManager } from "@latchkey/hono/react"
 * authConfigManager.setConfig({ basePath: "/auth" })
 * ```
 */
export const authConfigManager: AuthConfigManager = {
  setConfig({ baseUrl, basePath }) {
    if (baseUrl !== undefined && baseUrl !== "") __NEXTAUTH.baseUrl = baseUrl
    if (basePath !== undefined) __NEXTAUTH.basePath = `/${basePath}`.replace(/^\/+/, "/").replace(/\/+$/, "")
  },
  getConfig: () => ({ baseUrl: __NEXTAUTH.baseUrl, basePath: __NEXTAUTH.basePath }),
}

export interface PopupLoginOptions {
  title?: string
  /** In pixels. @default 500 */
  width?: number
  /** In pixels. @default 500 */
  height?: number
  onSuccess?: () => void
  /** The page that the popup shows after the sign-in. It has to call `opener.postMessage({ status: "success" })`. */
  callbackUrl?: string
}

export interface LoginState {
  status: "loading" | "success" | "errored"
  error?: string
  popUpSignin: () => Promise<void>
}

/** Signs in with an OAuth provider in a popup. */
export function useOauthPopupLogin(provider: string, options: PopupLoginOptions = {}): LoginState {
  const [state, setState] = useState<Omit<LoginState, "popUpSignin">>({ status: "loading" })
  const popup = useRef<Window | null>(null)
  const latest = useRef(options)
  latest.current = options

  const popUpSignin = useCallback(async () => {
    const { callbackUrl = "/", title = "Signin", width = 500, height = 500 } = latest.current
    const { error, url } = await signIn(provider, { redirect: false, redirectTo: callbackUrl })
    if (error !== undefined) return setState({ status: "errored", error })
    const [left, top] = [screenX + (outerWidth - width) / 2, screenY + (outerHeight - height) / 2]
    popup.current = open(url ?? "", title, `width=${width},height=${height},left=${left},top=${top}`)
  }, [provider])

  useEffect(() => {
    const onMessage = ({ origin, data }: MessageEvent<unknown>) => {
      if (origin !== location.origin || !isState(data)) return
      setState(data)
      if (data.status === "success") latest.current.onSuccess?.()
      popup.current?.close()
    }
    addEventListener("message", onMessage)
    return () => {
      removeEventListener("message", onMessage)
      popup.current?.close()
    }
  }, [])
  return { popUpSignin, ...state }
}

function isState(data: unknown): data is Omit<LoginState, "popUpSignin"> {
  const status: unknown = typeof data === "object" && data !== null && "status" in data ? data.status : undefined
  return status === "success" || status === "errored"
}
