/**
 * Seconds after which a page offers to send an email again: about the time that mail takes to arrive. The limits for `email`
 * decide what is sent.
 */
export const resendAfter = 60
