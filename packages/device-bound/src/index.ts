export { deviceBound } from "./device-bound.js"
export type { DeviceBoundOptions } from "./options.js"
