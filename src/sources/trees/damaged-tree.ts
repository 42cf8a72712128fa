/** A revision on disk is not what git says it is: the message is the path that is missing. */
export class DamagedTree extends Error {}
