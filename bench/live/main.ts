/**
 * What it costs to look after applications in a large cluster: memory, time until the first tree is complete, time from a changed pod
 * until whoever watches the tree has it, and the work of a timed refresh of applications in which nothing changed. First in this
 * process, on a cluster that is made up; then on a real control plane, beside Argo CD.
 * `npm run bench -- live [objects] [applications] [in-process|beside]`.
 */
import { measureBeside } from './beside.ts';
import { measureInProcess } from './in-process.ts';
import { OBJECTS_PER_SET, SETS_PER_APPLICATION } from './sample-applications.ts';

const objects = Number(process.argv[3] ?? 100_000);
const sets = Math.max(SETS_PER_APPLICATION, Math.round(objects / OBJECTS_PER_SET));
const applications = Math.min(Number(process.argv[4] ?? 1_000), Math.floor(sets / SETS_PER_APPLICATION));
const part = process.argv[5];

if (part !== 'beside') await measureInProcess(sets, applications);
if (part !== 'in-process') await measureBeside(sets);
