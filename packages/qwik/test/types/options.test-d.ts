import { QwikAuth$ } from "@latchkey/qwik"

// A misspelled option doesn't compile, in an object or in what a function returns.
QwikAuth$(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
QwikAuth$(() => ({ providers: [], sesion: {} }))
QwikAuth$(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
QwikAuth$(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
