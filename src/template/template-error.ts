/** A text that cannot be parsed or carried out; the message is for whoever wrote it. */
export class TemplateError extends Error {}

/** Work that went past its limits, whoever asked for it. */
export class LimitError extends TemplateError {}
