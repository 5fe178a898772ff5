import { QwikAuth$ } from "@auth/qwik"
import { config } from "../auth"

export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(({ env }) => config(env))
