export const loadSeam = async (): Promise<unknown> => import("../../module/seam.js")
