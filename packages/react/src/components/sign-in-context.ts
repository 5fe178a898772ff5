import type {
  CredentialsMethod,
  EmailMethod,
  EmailSentStep,
  FactorStep,
  FlowError,
  MethodsStep,
  PasskeyMethod,
  SignInMethod,
} from "@latchkey/core/types"
import { type Context, createContext, type RefObject, useContext } from "react"
import type { SignInTexts } from "./sign-in-texts.js"

/** A method with fields. A passkey provider has a form for new users, besides its button. */
export interface MethodForm {
  /** Distinguishes the form from the others. */
  readonly key: string
  readonly method: EmailMethod | CredentialsMethod | PasskeyMethod
  readonly label: string
  /** The text that opens it in place of the form that is open. */
  readonly instead: string
}

/** Why the last step was refused. */
export interface Problem {
  /** The key of the form or the id of the method. Without it, the problem isn't about one of them. */
  readonly key?: string
  readonly error: FlowError
}

export type Fields = Readonly<Record<string, string>>

/** What changes while the user signs in. */
export interface Data {
  readonly loaded: MethodsStep | undefined
  readonly sent: EmailSentStep | undefined
  /** What the user has to prove, after a password or another method. */
  readonly asked: FactorStep | undefined
  readonly resent: number
  readonly chosen: string | undefined
  readonly pending: string | undefined
  readonly problem: Problem | undefined
  /** The last refused step, which is another object each time. */
  readonly refusal: unknown
}

export interface SignInState {
  /** `undefined` while the methods load. */
  readonly step: MethodsStep | EmailSentStep | FactorStep | undefined
  /** The methods that the application wants to offer. */
  readonly methods: readonly SignInMethod[]
  readonly csrfToken: string | undefined
  readonly callbackUrl: string | undefined
  /** The key of the open form, after the user chose one. */
  readonly chosen: string | undefined
  /** The key of what waits for the server. */
  readonly pending: string | undefined
  readonly problem: Problem | undefined
  /** What the user typed as email or user name, which the next form takes over. */
  readonly identifier: RefObject<string>
  /** How many emails the user requested again. */
  readonly resent: number
  choose(key: string): void
  press(method: SignInMethod): void
  submit(form: MethodForm, fields: Fields): void
  sendCode(code: string): void
  answerFactor(fields: Fields): void
  factorPasskey(step: FactorStep): void
  resend(): void
  /** Goes back to the methods. */
  restart(): void
  reload(): void
}

export interface SignInControls extends SignInState {
  readonly texts: SignInTexts
  /** Prefix of element IDs. */
  readonly id: string
}

export const SignInContext: Context<SignInControls | undefined> = createContext<SignInControls | undefined>(undefined)

/** The state of the `SignIn` around this part. */
export function useControls(): SignInControls {
  const controls = useContext(SignInContext)
  if (controls === undefined) throw new Error("This part only works in <SignIn>.")
  return controls
}
