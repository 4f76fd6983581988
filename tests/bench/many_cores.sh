#!/bin/sh
# many_cores.sh CLUSTERS - a SHIM 1.0 file of so many clusters, each of 16 cores with 58 instructions and 8 access types, and 8
# memories, with what each access of each core costs: about 0.64 MB a cluster, valid by the official schema.
awk -v clusters="$1" '
function tag(depth, text) { printf "%*s%s\n", 4 * depth, "", text }
function performance(depth, attribute) {
    tag(depth, "<Performance" attribute ">")
    tag(depth + 1, sprintf("<Pitch best=\"%.2f\" typical=\"%.2f\" worst=\"%.2f\"/>", n % 97 / 8, n % 97 / 4, n % 97))
    tag(depth + 1, sprintf("<Latency best=\"%.2f\" typical=\"%.2f\" worst=\"%.2f\"/>", n % 89 / 8, n % 89 / 4, n++ % 89))
    tag(depth, "</Performance>")
}
BEGIN {
    print "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"
    print "<SystemConfiguration name=\"many\" shimVersion=\"1.0\">"
    tag(1, "<ComponentSet name=\"System\">")
    for (c = 0; c < clusters; c++) {
        tag(2, "<ComponentSet name=\"Cluster_" c "\">")
        for (m = 0; m < 8; m++)
            tag(3, "<SlaveComponent name=\"Memory_" c "_" m "\" id=\"SC_" c "_" m "\" size=\"64\" sizeUnit=\"KiB\" rwType=\"RWX\"/>")
        for (k = 0; k < 16; k++) {
            tag(3, "<MasterComponent name=\"Core_" c "_" k "\" id=\"MC_" c "_" k "\" masterType=\"PU\" arch=\"a\" pid=\"" k "\">")
            tag(4, "<CommonInstructionSet name=\"LLVM Instructions\">")
            for (i = 0; i < 58; i++) {
                tag(5, "<Instruction name=\"i" i "\">")
                performance(6, "")
                tag(5, "</Instruction>")
            }
            tag(4, "</CommonInstructionSet>")
            tag(4, "<Cache name=\"L1\" id=\"C_" c "_" k "\" cacheType=\"DATA\" cacheCoherency=\"HARD\" size=\"32\" sizeUnit=\"KiB\" nWay=\"4\" lineSize=\"64\"/>")
            tag(4, "<AccessTypeSet>")
            for (a = 0; a < 8; a++)
                tag(5, "<AccessType name=\"A" a "\" id=\"AT_" c "_" k "_" a "\" rwType=\"" (a % 2 ? "W" : "R") "\" accessByteSize=\"" 2 ^ int(a / 2) "\"/>")
            tag(4, "</AccessTypeSet>")
            tag(3, "</MasterComponent>")
        }
        tag(3, "<Cache name=\"L2\" id=\"C_" c "\" cacheType=\"UNIFIED\" cacheCoherency=\"HARD\" size=\"1\" sizeUnit=\"MiB\" nWay=\"8\" lineSize=\"64\">")
        for (k = 0; k < 16; k++)
            tag(4, "<cacheRef>C_" c "_" k "</cacheRef>")
        tag(3, "</Cache>")
        tag(2, "</ComponentSet>")
    }
    tag(1, "</ComponentSet>")
    tag(1, "<AddressSpaceSet>")
    tag(2, "<AddressSpace name=\"AS\" id=\"AS\">")
    for (c = 0; c < clusters; c++)
        for (m = 0; m < 8; m++) {
            start = 65536 * (8 * c + m)
            tag(3, sprintf("<SubSpace name=\"SS_%d_%d\" id=\"SS_%d_%d\" start=\"%d\" end=\"%d\">", c, m, c, m, start, start + 65535))
            tag(4, "<MasterSlaveBindingSet>")
            tag(5, "<MasterSlaveBinding slaveComponentRef=\"SC_" c "_" m "\">")
            for (k = 0; k < 16; k++) {
                tag(6, "<Accessor masterComponentRef=\"MC_" c "_" k "\">")
                tag(7, "<PerformanceSet>")
                for (a = 0; a < 8; a++)
                    performance(8, " accessTypeRef=\"AT_" c "_" k "_" a "\"")
                tag(7, "</PerformanceSet>")
                tag(6, "</Accessor>")
            }
            tag(5, "</MasterSlaveBinding>")
            tag(4, "</MasterSlaveBindingSet>")
            tag(3, "</SubSpace>")
        }
    tag(2, "</AddressSpace>")
    tag(1, "</AddressSpaceSet>")
    tag(1, "<ClockFrequency clockValue=\"1.0E9\"/>")
    print "</SystemConfiguration>"
}'
